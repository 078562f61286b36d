// Placeholder of the module DragboardService.
