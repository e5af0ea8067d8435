import { Device } from "../../../static/js/worker/device.js";

/** A device of which nothing but memory works, as where a browser blocks a page's storage. */
export function memoryDevice() {
  return new Device(null, null);
}
