import { STATUS_CODES } from 'node:http'

export const BARE_BODY = JSON.stringify({ error: 'Requisicao invalida' })

export const BARE_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  connection: 'close',
  'content-length': String(Buffer.byteLength(BARE_BODY)),
}

export function bareAnswer(status: number, more: Record<string, string> = {}): string {
  const headers = Object.entries({ ...BARE_HEADERS, ...more }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join('')}\r\n${BARE_BODY}`
}
