import type { AppContext } from '../context.ts'
import type { Logger } from '../http/index.ts'

interface Reporting {
  logger: Pick<Logger, 'error'>
  /** Shows a line to the operator at the terminal. */
  say: (line: string) => void
  /** Lets the other processes of the port know. */
  share: ((damage: string) => void) | undefined
}

/** Has every page read, which takes longer than users should wait for the start. */
export async function reportDamage({ storage }: AppContext, { logger, say, share }: Reporting): Promise<void> {
  await storage.checkPages()
  const damage = storage.damage()
  if (damage === undefined) return
  logger.error(damage)
  say(`\n  ${damage}`)
  share?.(damage)
}
