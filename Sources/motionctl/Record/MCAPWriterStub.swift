import MotionRecording
import MotionSensing

final class MCAPWriter: RecordingWriter {
  init(sink: any ByteSink, description: RecordingDescription) throws(SensorError) {}
  func write(_ item: RecordedItem) throws(SensorError) {}
  func finish() throws(SensorError) {}
}
