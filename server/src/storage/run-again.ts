import { setTimeout } from 'node:timers/promises'
import { isConflict } from './faults.ts'

const MAX_RUNS = 3
/** Of two that were in each other's way, one goes first. */
const MAX_APART_MS = 50

/** Runs a transaction, and again if the database ended it in favour of another: nothing of it is left then. What it does outside the database it would do twice. */
export async function runAgain<T>(transaction: () => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await transaction()
    } catch (error) {
      if (run === MAX_RUNS || !isConflict(error)) throw error
      await setTimeout(Math.random() * MAX_APART_MS)
    }
  }
}
