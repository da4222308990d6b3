import SamSwift

extension BatchRequest: Decodable {
  init(from decoder: any Decoder) throws {
    let members = try Members(
      decoder, of: "a request",
      known: [
        "id", "image", "embedding", "save_embedding", "quality", "prompts", "everything", "points",
        "box", "scribble", "mask", "cutout", "overlay", "segmentation",
      ])
    guard let image: String = try members.value("image", "a file's name") else {
      throw BatchError.missingMember("image")
    }
    guard image != "-" else {
      throw BatchError.badMember(
        "image", wanted: "a file's name; standard input holds the requests")
    }
    self.image = image
    embedding = try members.value("embedding", "a file's name")
    savedEmbedding = try members.value("save_embedding", "a file's name")
    let words = SamQuality.allCases.map(\.rawValue).joined(separator: ", ")
    if let word: String = try members.value("quality", "one of \(words)") {
      guard let quality = SamQuality(rawValue: word) else {
        throw BatchError.badMember("quality", wanted: "one of \(words)")
      }
      self.quality = quality
    } else {
      quality = .accurate
    }
    everything = try members.value(
      "everything", "true or an object with numbers for its options")
    prompts = try members.value("prompts", "a list of objects") ?? []
    let own = ["points", "box", "scribble", "mask", "cutout", "segmentation"]
    let loose = own.filter(members.has)
    if members.has("prompts") {
      if let first = (loose + (members.has("overlay") ? ["overlay"] : [])).first {
        throw BatchError.conflict("\(first) stands beside prompts. Put it into one of them")
      }
      guard !prompts.isEmpty, prompts.count <= Self.mostPrompts else {
        throw BatchError.badMember("prompts", wanted: "a list of 1 to \(Self.mostPrompts) objects")
      }
      if everything != nil {
        throw BatchError.conflict("everything needs no prompts. Drop one of them")
      }
    } else if everything != nil {
      if let first = loose.first {
        throw BatchError.conflict("everything does not go with \(first). Drop one of them")
      }
      if let overlay: String = try members.value("overlay", "a file's name") {
        everything?.overlay = overlay
      }
    } else if members.has("points") || members.has("box") || members.has("scribble") {
      prompts = [try BatchPrompt(members)]
    } else if let first = (loose + (members.has("overlay") ? ["overlay"] : [])).first {
      throw BatchError.conflict("\(first) wants an object. Add points, box or scribble")
    } else if savedEmbedding == nil {
      throw BatchError.conflict(
        "nothing says what to do. Add points, box, scribble, prompts, everything or save_embedding")
    }
  }
}

extension BatchPrompt: Decodable {
  init(from decoder: any Decoder) throws {
    try self.init(
      Members(
        decoder, of: "a prompt",
        known: ["points", "box", "scribble", "mask", "cutout", "overlay", "segmentation"]))
  }

  fileprivate init(_ members: Members) throws {
    let form = "a list of [x, y] or [x, y, 0], in pixels"
    let points: [[Double]] = try members.value("points", form) ?? []
    prompt = SamPrompt()
    for point in points {
      guard point.count == 2 || (point.count == 3 && (point[2] == 0 || point[2] == 1)) else {
        throw BatchError.badMember(members.path("points"), wanted: form)
      }
      prompt.points.append(
        SamPoint(
          x: point[0], y: point[1], label: point.last == 0 && point.count == 3 ? .exclude : .include
        ))
    }
    if let box: [Double] = try members.value("box", "[x0, y0, x1, y1], in pixels") {
      guard box.count == 4 else {
        throw BatchError.badMember(members.path("box"), wanted: "[x0, y0, x1, y1], in pixels")
      }
      prompt.box = SamBox(x0: box[0], y0: box[1], x1: box[2], y1: box[3])
    }
    scribble = try members.value("scribble", "a file's name")
    mask = try members.value("mask", "a file's name")
    cutout = try members.value("cutout", "a file's name")
    overlay = try members.value("overlay", "a file's name")
    wantsSegmentation = try members.value("segmentation", "true or false") ?? false
    guard !prompt.points.isEmpty || prompt.box != nil || scribble != nil else {
      throw BatchError.conflict("a prompt points at nothing. Add points, box or scribble")
    }
  }
}

extension BatchEverything: Decodable {
  init(from decoder: any Decoder) throws {
    changes = EverythingChanges()
    if let isWanted = try? decoder.singleValueContainer().decode(Bool.self) {
      guard isWanted else {
        throw BatchError.badMember("everything", wanted: "true, or left out")
      }
      return
    }
    let members = try Members(
      decoder, of: "everything",
      known: [
        "points_per_side", "min_score", "min_stability", "max_overlap", "crop_layers", "min_area",
        "records", "labels", "overlay",
      ])
    changes.pointsPerSide = try members.value("points_per_side", "a whole number")
    changes.minimumScore = try members.value("min_score", "a number")
    changes.minimumStability = try members.value("min_stability", "a number")
    changes.maximumOverlap = try members.value("max_overlap", "a number")
    changes.cropLayers = try members.value("crop_layers", "a whole number")
    changes.minimumArea = try members.value("min_area", "a whole number")
    records = try members.value("records", "a file's name")
    labels = try members.value("labels", "a file's name")
    overlay = try members.value("overlay", "a file's name")
  }
}

/// The members of one JSON object, all of which have to be known.
private struct Members {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private let container: KeyedDecodingContainer<Key>
  private let prefix: String

  init(_ decoder: any Decoder, of place: String, known: [String]) throws {
    prefix = decoder.codingPath.map { key in
      key.intValue.map { "[\($0)]" } ?? key.stringValue
    }.joined()
    guard let container = try? decoder.container(keyedBy: Key.self) else {
      throw BatchError.badMember(prefix.isEmpty ? "the line" : prefix, wanted: "an object")
    }
    self.container = container
    let names = container.allKeys.map(\.stringValue)
    if let unknown = names.filter({ !known.contains($0) }).min() {
      throw BatchError.unknownMember(String(unknown.prefix(100)), place: place)
    }
  }

  func path(_ name: String) -> String { prefix.isEmpty ? name : prefix + "." + name }

  func has(_ name: String) -> Bool { container.contains(Key(stringValue: name)) }

  /// A member's value; nil where it is not there or null.
  func value<Value: Decodable>(_ name: String, _ wanted: String) throws -> Value? {
    do {
      return try container.decodeIfPresent(Value.self, forKey: Key(stringValue: name))
    } catch is DecodingError {
      throw BatchError.badMember(path(name), wanted: wanted)
    }
  }
}
