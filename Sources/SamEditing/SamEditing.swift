// SamEditing
