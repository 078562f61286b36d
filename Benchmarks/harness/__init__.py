"""The parts of the benchmarks: a private bus with services, measurements, figures, and the table of figures."""
