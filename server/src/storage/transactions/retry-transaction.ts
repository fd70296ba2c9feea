import { setTimeout } from 'node:timers/promises'
import { isConflict } from '../faults.ts'

const MAX_RUNS = 3
/** The pause is random, so that two transactions that collided do not collide again. */
const MAX_APART_MS = 50

/**
 * Runs a transaction, and runs it again if the database rolled it back in favour of another one (then nothing of it is left). Effects
 * outside the database would happen twice.
 */
export async function retryTransaction<T>(transaction: () => Promise<T>): Promise<T> {
  for (let run = 1; ; run++) {
    try {
      return await transaction()
    } catch (error) {
      if (run === MAX_RUNS || !isConflict(error)) throw error
      await setTimeout(Math.random() * MAX_APART_MS)
    }
  }
}
