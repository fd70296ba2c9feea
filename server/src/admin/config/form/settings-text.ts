import type { Configuration } from './configuration.ts'
import type { FileFault } from './read-configuration.ts'

/** Bytes. A family of a hundred apps needs a tenth of it. */
export const MAX_FILE = 1_000_000

// The code that reads and writes YAML is loaded when a command first needs it: 75 files of which the service runs none.

/** The settings in the text of a file, or its faults. */
export async function readSettings(text: string): Promise<Configuration | { faults: FileFault[] }> {
  if (Buffer.byteLength(text) > MAX_FILE) return { faults: [{ line: undefined, says: 'it is larger than 1 MB' }] }
  const { readConfiguration } = await import('./read-configuration.ts')
  return readConfiguration(text)
}

/** The text of a file with these settings. `heading`: lines of comment above it. */
export async function writeSettings(configuration: Configuration, heading: readonly string[]): Promise<string> {
  const { writeConfiguration } = await import('./write-configuration.ts')
  return writeConfiguration(configuration, heading)
}
