// A program of its own: it reads a whole database, which takes seconds for each gigabyte, and may be killed at any time.
import os from 'node:os'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'

const LOWEST = 19

try {
  os.setPriority(LOWEST)
} catch {
  // Some systems forbid it. It reads all the same.
}
const handle = new DatabaseSync(process.argv[2] ?? '', { readOnly: true, timeout: 5_000 })
process.stdout.write(String(handle.prepare('pragma quick_check(1)').get()?.quick_check))
