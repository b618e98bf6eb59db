// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Builds a zip in memory (APPNOTE.TXT 6.3): entries stored or deflated, with or without data descriptors and ZIP64.
struct ZipBuilder {
  var usesZip64 = false
  /// Sizes stand behind the data instead of in the local header.
  var usesDataDescriptors = false
  private var local: [UInt8] = []
  private var directory: [UInt8] = []
  private var count = 0
  private static let elsewhere = 0xFFFF_FFFF

  mutating func add(
    _ name: String, _ content: [UInt8], isDeflated: Bool = true, flags: Int = 0, method: Int? = nil,
    declaredSize: Int? = nil
  ) {
    let data = isDeflated ? Compressor.deflate(content) : content
    let flags = flags | (usesDataDescriptors ? 8 : 0)
    let method = method ?? (isDeflated ? 8 : 0)
    let offset = local.count
    let size = declaredSize ?? content.count
    let crc = Int(Compressor.crc32(content))
    let isHidden = usesDataDescriptors
    local.append((0x0403_4B50, 4), (20, 2), (flags, 2), (method, 2), (0, 4))
    local.append((isHidden ? 0 : crc, 4), (isHidden ? 0 : data.count, 4), (isHidden ? 0 : size, 4))
    local.append((name.utf8.count, 2), (0, 2))
    local += Array(name.utf8) + data
    if isHidden { local.append((0x0807_4B50, 4), (crc, 4), (data.count, 4), (size, 4)) }
    var extra: [UInt8] = []
    if usesZip64 { extra.append((1, 2), (24, 2), (size, 8), (data.count, 8), (offset, 8)) }
    directory.append((0x0201_4B50, 4), (20, 2), (20, 2), (flags, 2), (method, 2), (0, 4), (crc, 4))
    directory.append((usesZip64 ? Self.elsewhere : data.count, 4), (usesZip64 ? Self.elsewhere : size, 4))
    directory.append((name.utf8.count, 2), (extra.count, 2), (0, 2), (0, 2), (0, 2), (0, 4))
    directory.append((usesZip64 ? Self.elsewhere : offset, 4))
    directory += Array(name.utf8) + extra
    count += 1
  }

  func finish(declaredEntries: Int? = nil) -> [UInt8] {
    let entries = declaredEntries ?? count
    var result = local + directory
    if usesZip64 {
      let record = result.count
      result.append((0x0606_4B50, 4), (44, 8), (45, 2), (45, 2), (0, 4), (0, 4), (entries, 8), (entries, 8))
      result.append((directory.count, 8), (local.count, 8))
      result.append((0x0706_4B50, 4), (0, 4), (record, 8), (1, 4))
    }
    let short = usesZip64 ? 0xFFFF : entries
    result.append((0x0605_4B50, 4), (0, 4), (short, 2), (short, 2))
    result.append((usesZip64 ? Self.elsewhere : directory.count, 4), (usesZip64 ? Self.elsewhere : local.count, 4))
    result.append((0, 2))
    return result
  }
}
