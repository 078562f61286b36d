// Placeholder of the module BoardModel.
