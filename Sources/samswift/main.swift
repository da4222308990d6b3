print("in progress")
