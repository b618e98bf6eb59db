// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// Where a server listens. By default only programs of this computer reach it.
package struct ListeningAddress: Sendable, Hashable {
  /// An IPv4 or IPv6 address in digits. Default: 127.0.0.1.
  package var host: String
  /// 0 = the system chooses one.
  package var port: UInt16

  /// An address in digits (no name) and a port.
  package init(host: String = "127.0.0.1", port: UInt16) {
    self.host = host
    self.port = port
  }

  /// `127.0.0.1:8765`, `[::1]:8765`.
  package var text: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

  /// True when only programs of this computer reach it.
  package var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }
}

/// The socket calls of the outputs. Nothing here waits: every descriptor is non-blocking and closed at exec.
package enum Socket {
  /// A socket that listens, and the port that it got.
  static func listen(_ address: ListeningAddress) throws(SensorError) -> (descriptor: Int32, port: UInt16) {
    let (descriptor, port) = try bound(address, SOCK_STREAM)
    // Where this queue is full the system drops what comes, and a client asks again after 1, 3, 7 … s: a rush must fit.
    // What is set here holds for its clients.
    set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, 1)
    // What the system holds for a slow client is old by the time it is read: the queue that drops is ours.
    set(descriptor, SOL_SOCKET, SO_SNDBUF, 256 << 10)
    noticeLoss(descriptor)
    guard MotionSensing.listen(descriptor, 4096) == 0 else {
      let number = errno
      close(descriptor)
      throw bindingFailed(address, number)
    }
    return (descriptor, port)
  }

  /// A socket with an address of this computer, and the port that it got; one for datagrams receives from any sender.
  package static func bound(
    _ address: ListeningAddress, _ kind: __socket_type
  ) throws(SensorError) -> (descriptor: Int32, port: UInt16) {
    try withAddress(address, kind, flags: AI_PASSIVE | AI_NUMERICHOST) { (info) throws(SensorError) in
      let descriptor = try open(info, SensorError.Place(file: address.text))
      // A server that has just ended leaves connections behind that would keep its port for a minute.
      if kind == SOCK_STREAM {
        set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
      }
      guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0 else {
        let number = errno
        close(descriptor)
        throw bindingFailed(address, number)
      }
      return (descriptor, localPort(descriptor))
    }
  }

  private static func bindingFailed(_ address: ListeningAddress, _ number: Int32) -> SensorError {
    let (code, advice): (SensorError.Code, String) =
      switch number {
      case EADDRINUSE: (.busy, "Another program uses this port: stop it, or choose another port.")
      case EACCES: (.notPermitted, "This user may not listen on this port: choose a port above 1023.")
      case EADDRNOTAVAIL: (.notFound, "This computer does not have this address.")
      default: (.system, "The system does not let the program listen on this address.")
      }
    return SensorError(code, advice, at: SensorError.Place(file: address.text), errno: number)
  }

  /// A datagram socket with a fixed receiver. `isNamed`: its host may have a name.
  package static func connectDatagrams(
    _ address: ListeningAddress, isNamed: Bool = false
  ) throws(SensorError) -> Int32 {
    let place = SensorError.Place(file: address.text)
    return try withAddress(address, SOCK_DGRAM, flags: isNamed ? 0 : AI_NUMERICHOST) { (info) throws(SensorError) in
      let descriptor = try open(info, place)
      guard connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 else {
        let number = errno
        close(descriptor)
        throw SensorError(.system, "Sending to this address failed: check the address.", at: place, errno: number)
      }
      return descriptor
    }
  }

  /// The next client, or nil when none waits or it cannot be had; `isExhausted` = no descriptor is left.
  static func accept(_ listener: Int32, isExhausted: inout Bool) -> Int32? {
    let descriptor = MotionSensing.accept(listener, nil, nil)
    guard descriptor >= 0 else {
      isExhausted = [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno)
      return nil
    }
    // Swift does not see accept4(2), which would do both at once.
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
  }

  /// The numeric address at the other end; empty when it has gone.
  static func peerName(_ descriptor: Int32) -> String {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let isKnown = withAddress(&storage) { address in
      getpeername(descriptor, address, &size) == 0
        && getnameinfo(address, size, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0
    }
    return isKnown ? String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
  }

  /// The first byte that waits, without removing it.
  static func peek(_ descriptor: Int32) -> UInt8? {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) == 1 ? byte : nil
  }

  /// Seconds after which a client that does not answer is dropped: one whose computer sleeps or is out of range does
  /// not disconnect, and would keep its place among the few.
  static let longestSilence: Int32 = 30

  /// An idle client is asked after a third of the time and then every sixth; where something is on its way, the time
  /// itself counts, also for one that is there and reads nothing for so long.
  private static func noticeLoss(_ descriptor: Int32) {
    let tcp = Int32(IPPROTO_TCP)
    set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
    set(descriptor, tcp, TCP_KEEPIDLE, longestSilence / 3)
    set(descriptor, tcp, TCP_KEEPINTVL, longestSilence / 6)
    set(descriptor, tcp, TCP_KEEPCNT, 4)
    set(descriptor, tcp, TCP_USER_TIMEOUT, longestSilence * 1000)
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// The result of a non-blocking call.
  package enum Outcome: Equatable {
    case done(Int)
    case later
    case failed
  }

  package static func send(_ descriptor: Int32, _ bytes: ArraySlice<UInt8>) -> Outcome {
    // unsafe: the kernel reads the bytes during the call.
    outcome { bytes.withUnsafeBytes { MotionSensing.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } }
  }

  /// `done(0)` = the peer sends no more.
  package static func receive(_ descriptor: Int32, into buffer: inout [UInt8]) -> Outcome {
    let room = buffer.count
    return outcome { recv(descriptor, &buffer, room, 0) }
  }

  private static func outcome(_ call: () -> Int) -> Outcome {
    while true {
      let count = call()
      if count >= 0 { return .done(count) }
      if errno == EINTR { continue }
      return errno == EAGAIN || errno == EWOULDBLOCK ? .later : .failed
    }
  }

  private static func open(_ info: addrinfo, _ place: SensorError.Place) throws(SensorError) -> Int32 {
    let kind = info.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(info.ai_family, kind, 0)
    guard descriptor >= 0 else {
      throw SensorError(.system, "The system could not create a socket.", at: place, errno: errno)
    }
    return descriptor
  }

  private static func localPort(_ descriptor: Int32) -> UInt16 {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withAddress(&storage) { address in
      guard getsockname(descriptor, address, &size) == 0 else { return 0 }
      // The port stands at the same place in both families.
      return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { UInt16(bigEndian: $0.pointee.sin_port) }
    }
  }

  /// Passes an address of any family to a call that knows it as `sockaddr`.
  ///
  /// Unsafe: every one begins as `sockaddr` does, and the call is told its size.
  package static func withAddress<Address, Result>(
    _ address: inout Address, _ call: (UnsafeMutablePointer<sockaddr>) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, call) }
  }

  private static func withAddress<Result>(
    _ address: ListeningAddress, _ kind: __socket_type, flags: Int32,
    _ body: (addrinfo) throws(SensorError) -> Result
  ) throws(SensorError) -> Result {
    var hints = addrinfo()
    hints.ai_flags = flags | AI_NUMERICSERV
    hints.ai_socktype = Int32(kind.rawValue)
    // unsafe: a list of the system's, freed below.
    var list: UnsafeMutablePointer<addrinfo>?
    let failure = getaddrinfo(address.host, String(address.port), &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard failure == 0, var entry = list?.pointee else {
      throw SensorError(
        .invalidRequest,
        flags & AI_NUMERICHOST == 0
          ? "The host “\(address.host)” is not found: \(String(cString: gai_strerror(failure)))."
          : "“\(address.host)” is not a numeric address: write 127.0.0.1, ::1 or an address of this computer.")
    }
    while true {
      do throws(SensorError) { return try body(entry) } catch {
        guard let next = entry.ai_next else { throw error }
        entry = next.pointee
      }
    }
  }
}

/// Datagrams to and from any sender.
extension Socket {
  /// Who sent a datagram: its address as the system writes it.
  package struct Peer: Hashable {
    let bytes: [UInt8]

    /// The same for all of one computer: without the port, which stands at the same place in both families.
    package var host: ArraySlice<UInt8> { bytes.dropFirst(4) }

    package init(bytes: [UInt8]) { self.bytes = bytes }
  }

  /// The next datagram, cut off after a thousand bytes; nil when none waits.
  package static func receive(_ descriptor: Int32) -> (bytes: ArraySlice<UInt8>, peer: Peer)? {
    let limit = 1024
    var buffer = [UInt8](repeating: 0, count: limit)
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let count = withAddress(&storage) { recvfrom(descriptor, &buffer, limit, 0, $0, &size) }
    guard count >= 0 else { return nil }
    // unsafe: as many of its bytes as the system has filled.
    let peer = withUnsafeBytes(of: &storage) { Peer(bytes: Array($0.prefix(Int(size)))) }
    return (buffer[..<count], peer)
  }

  /// False when the system does not take it.
  package static func send(_ descriptor: Int32, _ bytes: [UInt8], to peer: Peer) -> Bool {
    var storage = sockaddr_storage()
    // unsafe: the bytes that came from the system.
    withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: peer.bytes) }
    let sent = withAddress(&storage) {
      sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(peer.bytes.count))
    }
    return sent == bytes.count
  }
}
