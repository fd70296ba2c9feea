import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SendMailOptions } from 'nodemailer'
import type { Mail } from './message.ts'

/**
 * Writes a mail as `.eml`, readable only by this user of the machine, since it may hold a link that signs in. The names sort by time; a
 * file is whole or not there. The text is not in quoted-printable, so that a link can be copied from any editor. Answers the path.
 */
export async function writeMailFile(
  message: SendMailOptions,
  mail: Pick<Mail, 'text' | 'html'>,
  { folder, at, messageId }: { folder: string; at: number; messageId: string },
): Promise<string> {
  const { createTransport } = await import('nodemailer')
  const alternatives = [asItIs('text/plain', mail.text), asItIs('text/html', mail.html)]
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  const { message: raw } = await transport.sendMail({ ...message, text: undefined, html: undefined, alternatives })
  if (!Buffer.isBuffer(raw)) throw new TypeError('the mail was not built in memory')
  const name = `${new Date(at).toISOString().replaceAll(':', '-')}-${messageId}.eml`
  const file = path.join(folder, name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(`${file}.part`, raw, { mode: 0o600 })
  await rename(`${file}.part`, file)
  return file
}

function asItIs(type: 'text/plain' | 'text/html', content: string): { raw: string } {
  return { raw: `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${content}` }
}
