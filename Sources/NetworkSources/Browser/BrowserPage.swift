// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork

/// The files of the page, which are part of the program.
enum BrowserPage {
  /// The file at a path, or nil.
  static func file(_ path: String) -> HTTPResponse? {
    switch path {
    case "/", "/index.html": HTTPResponse(contentType: "text/html; charset=utf-8", body: PackageResources.index_html)
    case "/page.css": HTTPResponse(contentType: "text/css; charset=utf-8", body: PackageResources.page_css)
    case "/page.js": HTTPResponse(contentType: "text/javascript; charset=utf-8", body: PackageResources.page_js)
    case "/motion.js": HTTPResponse(contentType: "text/javascript; charset=utf-8", body: PackageResources.motion_js)
    // Browsers ask for it by themselves.
    case "/favicon.ico": HTTPResponse(status: 204, contentType: "image/x-icon", body: [])
    default: nil
    }
  }
}
