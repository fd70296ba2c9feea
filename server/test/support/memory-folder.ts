import { execFileSync } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'

const MEMORY = '/dev/shm'
const GIB = 1024 ** 3

/**
 * A folder for files of tests that need no disk: one that lies in memory, where the system has it (Linux) with room in it, which a
 * container may lack; else the usual temporary one. Programs may not be allowed to run from it.
 */
export function memoryFolder(): string {
  return hasRoom(1) ? MEMORY : tmpdir()
}

/**
 * The same for whole trees of packages and whatever else a test leaves in a temporary folder: with much more room, and a place that
 * programs may run from. Linux looks for a place for a new file past each one that was removed within the last minutes, one by one: on a
 * disk, tests that remove packages made all others that write anything take twice as much of the cores.
 */
export function roomyMemoryFolder(): string {
  return hasRoom(8) && process.availableMemory() >= 8 * GIB && runsPrograms() ? MEMORY : tmpdir()
}

/** Whether there is a folder in memory with this much room. */
export function hasRoom(gib: number): boolean {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= gib * GIB
  } catch {
    return false
  }
}

function runsPrograms(): boolean {
  const folder = mkdtempSync(path.join(MEMORY, 'portaria-program-'))
  try {
    const program = path.join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 })
    execFileSync(program)
    return true
  } catch {
    return false
  } finally {
    rmSync(folder, { recursive: true })
  }
}
