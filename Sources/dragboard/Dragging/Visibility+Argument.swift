public import ArgumentParser
public import DragboardClient

extension Visibility: ExpressibleByArgument {}
