import type { AppContext } from '../context.ts'
import type { Logger } from '../http/index.ts'

/** Has every page read, which takes longer than users should wait for the start. `say` shows a line to the operator at the terminal. */
export async function reportDamage({ storage }: AppContext, logger: Pick<Logger, 'error'>, say: (line: string) => void): Promise<void> {
  const damage = await storage.checkPages()
  if (damage === undefined) return
  logger.error(damage)
  say(`\n  ${damage}`)
}
