import { closeSync, fsyncSync, openSync } from 'node:fs'
import process from 'node:process'

/** Puts the names of its files on the disk, or a loss of power could take a new name away. A folder can't be synced on Windows. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
