"""The machinery of the benchmarks: a private bus with services on it, measurements, figures and their table."""
