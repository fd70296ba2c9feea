import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { parseSignedBody, signPurchase } from '../../purchases/index.ts'
import { addVerb, type CliContext } from '../command/cli-context.ts'
import { withConfig } from '../command/open-context.ts'
import type { Outcome, Streams } from '../command/output.ts'

const MAX_BYTES = 262_144

export function addSign(webhook: Command, cli: CliContext): void {
  addVerb(webhook, 'sign', {
    summary: 'print a purchase notification with its signature; asks no database',
    example: 'webhook sign purchase.json | curl --json @- https://sso.example.com/api/webhook/payment',
  })
    .argument('<file>', 'a file with the notification as JSON; - reads standard input')
    .action((file: string, options: { json?: boolean }) => cli.print(options, sign(file, cli)))
}

/** A signature in the body is replaced. */
async function sign(file: string, cli: CliContext): Promise<Outcome> {
  return withConfig(cli, async ({ webhookSecrets: [secret] }) => {
    if (secret === undefined)
      return { complaint: 'there is no secret to sign with: set PORTARIA_WEBHOOK_SECRET to the one that the running service has' }
    const text = file === '-' ? await readStandardInput(cli) : await readFile(file, 'utf8').catch(() => undefined)
    if (text === undefined) return { complaint: `${file} can't be read: give the path of a file, or - for standard input` }
    if (Buffer.byteLength(text) > MAX_BYTES)
      return { complaint: 'this is over 256 KiB: no notification is so long, and the service refuses it' }
    const body = parseSignedBody(text)
    if (!body) return { complaint: 'this is no JSON object that can be signed: a notification is {"event": …, "timestamp": …, …}' }
    const signature = signPurchase(body.signedText, Buffer.from(secret))
    const signed: unknown = { ...JSON.parse(body.signedText), signature }
    return { json: signed, text: JSON.stringify(signed) }
  })
}

async function readStandardInput({ stdin }: Pick<Streams, 'stdin'>): Promise<string> {
  let text = ''
  for await (const chunk of stdin.setEncoding('utf8')) {
    text += chunk
    if (text.length > MAX_BYTES) break // the caller says that it is too long
  }
  return text
}
