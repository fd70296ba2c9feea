import type { SendMailOptions } from 'nodemailer'
import { type Delivery, refusalOf } from './delivery.ts'
import type { SmtpServer } from './smtp-url.ts'

const CONNECT_MS = 10_000

/**
 * Nearly as long as a job has: a server that thinks for long after the last byte of a mail may have taken it, and gets it once more if it
 * is not waited for.
 */
const SILENCE_MS = 28_000

const IDLE_MS = 60_000

type Pool = Awaited<ReturnType<typeof openPool>>

export async function openPool(server: SmtpServer) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    ...parametersOf(server),
    pool: true,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    idleTimeout: IDLE_MS,
    maxConnections: 4,
    maxRequeues: 2, // only for a connection that broke before a byte of the mail was sent
  })
}

/** Given one by one: nodemailer's reading of a URL could switch on a log of the whole traffic. */
export function parametersOf({ host, port, implicitTls, requireTls, verifyCertificate, auth }: SmtpServer) {
  return {
    host,
    port,
    secure: implicitTls,
    requireTLS: requireTls,
    tls: { rejectUnauthorized: verifyCertificate, minVersion: 'TLSv1.2' as const },
    ...(auth && { auth }),
    logger: false,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

export async function send(pool: Pool, message: SendMailOptions, signal: AbortSignal): Promise<Delivery> {
  try {
    await pool.sendMail({ ...message, signal })
    return { delivered: 'by_smtp' }
  } catch (fault) {
    return refusalOf(fault)
  }
}
