import type { Now, Sealer } from '../../kit/index.ts'
import type { Mail, Mailer } from '../../mail/index.ts'
import { FatalJobFault } from '../../outbox/index.ts'
import type { Storage } from '../../storage/index.ts'

export interface MailJobDeps {
  storage: Storage
  mailer: Pick<Mailer, 'deliver'>
  sealer: Sealer
  codeKey: Uint8Array
  /** `PORTARIA_URL`: every link is built from it, never from a header. */
  baseUrl: string
  now: Now
}

export async function deliver(
  mail: Mail,
  { id, signal }: { id: string; signal: AbortSignal },
  { mailer, baseUrl }: Pick<MailJobDeps, 'mailer' | 'baseUrl'>,
): Promise<void> {
  // A look's paths have no host. Quotes in texts are escaped, so this is never one of them.
  const html = mail.html.replaceAll('src="/assets/', `src="${baseUrl}/assets/`)
  const delivery = await mailer.deliver({ ...mail, html }, { messageId: id, signal })
  if ('delivered' in delivery) return
  // Without a configured mail server, trying for days would only fill the log; the job stays where the operator sees it.
  if (delivery.refused !== 'temporary') throw new FatalJobFault(delivery.reason)
  throw new Error(delivery.reason)
}
