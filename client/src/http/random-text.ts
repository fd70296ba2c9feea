import { base64url } from 'jose'

/** Random bytes from the runtime's own source, as text. */
export function randomText(bytes: number): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(bytes)))
}
