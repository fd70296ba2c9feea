import { mkdir, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { SendMailOptions } from 'nodemailer'

/** Writes a mail as `.eml`, readable by this user alone since it may hold a link that signs in. The names sort by time; a file is whole or not there. */
export async function writeMailFile(
  message: SendMailOptions,
  { folder, at, messageId }: { folder: string; at: number; messageId: string },
): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const { message: raw } = await createTransport({ streamTransport: true, buffer: true, newline: 'windows' }).sendMail(message)
  if (!Buffer.isBuffer(raw)) throw new TypeError('the mail was not built in memory')
  const name = `${new Date(at).toISOString().replaceAll(':', '-')}-${messageId}.eml`
  const file = path.join(folder, name)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(`${file}.part`, raw, { mode: 0o600 })
  await rename(`${file}.part`, file)
}
