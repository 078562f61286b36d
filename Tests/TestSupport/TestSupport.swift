// Placeholder of the module TestSupport.
