import { type Delivery, refusalOf } from './delivery.ts'
import { parametersOf } from './smtp-pool.ts'
import type { SmtpServer } from './smtp-url.ts'

const GREET_MS = 5_000

export async function greet(server: SmtpServer): Promise<'answers' | Exclude<Delivery, { delivered: unknown }>> {
  const { createTransport } = await import('nodemailer')
  const limits = { connectionTimeout: GREET_MS, greetingTimeout: GREET_MS, dnsTimeout: GREET_MS, socketTimeout: GREET_MS }
  const transport = createTransport({ ...parametersOf(server), ...limits })
  try {
    await transport.verify()
    return 'answers'
  } catch (fault) {
    const refused = refusalOf(fault)
    return 'refused' in refused ? refused : { refused: 'temporary', reason: 'unknown fault' }
  } finally {
    transport.close()
  }
}
