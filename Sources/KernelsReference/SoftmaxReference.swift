#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

func softmaxReference(_ values: UnsafeMutablePointer<Float>, _ count: Int) {
  var largest = -Float.infinity
  for i in 0..<count where values[i] > largest { largest = values[i] }
  var sum = 0.0
  for i in 0..<count {
    values[i] = exp(values[i] - largest)
    sum += Double(values[i])
  }
  let scale = Float(1 / sum)
  for i in 0..<count { values[i] *= scale }
}
