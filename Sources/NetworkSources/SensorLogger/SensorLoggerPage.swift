// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork

/// The page that the phone's camera opens: the address to copy into the app, and the app's own links.
///
/// The app can be configured by a link only with a code that it has exported itself, so the address has to be copied
/// once.
enum SensorLoggerPage {
  static func response(push: String, configuration: String?) -> HTTPResponse {
    let configure = configuration.map {
      "<li><a href=\"sensorlogger://config/\($0)\">Load your configuration</a> into the app.</li>"
    }
    let text = """
      <!doctype html>
      <html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
      <title>OpenCoreMotion</title>
      <h1>Send this phone's motion</h1>
      <ol>
      <li>In the app <b>Sensor Logger</b> switch on Accelerometer, Gyroscope, Magnetometer and Barometer.</li>
      \(configure ?? "")
      <li>Tap the gear, then <b>HTTP Push</b>, and set the push URL to<br>
      <input readonly size="60" aria-label="push URL" value="\(escaped(push))"></li>
      <li><a href="sensorlogger://start">Start recording</a>.</li>
      </ol>
      """
    return HTTPResponse(contentType: "text/html; charset=utf-8", body: Array(text.utf8))
  }

  /// The Host field of a request stands in the address, and is not ours.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }
}
