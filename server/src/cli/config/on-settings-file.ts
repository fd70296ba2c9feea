import type { ConfigurationFault } from '../../admin/index.ts'
import type { AppContext } from '../../context.ts'
import type { CliContext } from '../command/cli-context.ts'
import { visible } from '../command/layout.ts'
import type { withContext } from '../command/open-context.ts'
import type { Outcome } from '../command/output.ts'
import { configurationSentence } from './config-sentences.ts'
import { type ReadFile, readSettingsFile } from './settings-file.ts'

export async function onFile(
  file: string,
  { cli, open }: { cli: CliContext; open: typeof withContext },
  work: (read: ReadFile, context: AppContext) => Promise<Outcome>,
): Promise<Outcome> {
  const read = await readSettingsFile(file, cli.environment)
  if ('misuse' in read) return read
  return open(cli, async (context) => {
    const own = findOwnKey(read, context.config)
    return own === undefined ? work(read, context) : { complaint: `${own}: this is the master key of the service, which is sent to nobody` }
  })
}

/** The setting whose secret has the service's own master key in it. */
function findOwnKey({ secrets }: ReadFile, { masterKey, previousMasterKey }: AppContext['config']): string | undefined {
  const forms = [masterKey, previousMasterKey].flatMap((key) =>
    key ? (['base64', 'base64url', 'hex'] as const).map((form) => key.toString(form).toLowerCase()) : [],
  )
  return [...secrets].find(([, secret]) => forms.some((form) => secret.toLowerCase().includes(form)))?.[0]
}

export function complaintOf(faults: readonly ConfigurationFault[], { absent }: ReadFile): { complaint: string } {
  return { complaint: faults.map((fault) => visible(configurationSentence(fault, absent))).join('\nportaria: ') }
}
