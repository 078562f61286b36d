print("dragboardd")
