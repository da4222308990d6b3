// SamSwift
