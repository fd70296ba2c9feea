import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A file that browsers may keep for ever, since its path names its content. */
interface Asset {
  path: `/assets/${string}`
  type: string
  body: string | Buffer
}

/** The mark of the product, a gate with its lamp lit, on a square of 32. The stylesheet gives it the colours of the scheme. */
export const markShapes =
  '<rect class="mark-wall" fill="#0d7a56" width="32" height="32" rx="9"/>' +
  '<path class="mark-gate" fill="none" stroke="#fff" stroke-width="3.2" stroke-linecap="round" d="M9 23.5V15a7 7 0 0 1 14 0v8.5"/>' +
  '<circle class="mark-lamp" fill="#fff" cx="16" cy="17.5" r="2.6"/>'

/** The stylesheet of all pages. */
export const stylesheet: Asset = hashed('page', 'css', 'text/css; charset=utf-8', readStyles('page.css'))

/** The additional stylesheet of the account's pages. */
export const accountStylesheet: Asset = hashed('account', 'css', 'text/css; charset=utf-8', readStyles('account.css'))

/** The mark as an icon of the browser's tab. */
export const favicon: Asset = hashed('mark', 'svg', 'image/svg+xml', faviconBody())

/** The same for clients that show no SVG: a picture of 180 pixels for the home screens of phones … */
export const touchIcon: Asset = hashed('mark', 'png', 'image/png', readPicture('touch-icon.png'))

/** … and one of 32 for clients that ask for `/favicon.ico` whatever a page says: a PNG in the frame of an icon file. */
export const faviconFile = { type: 'image/x-icon', body: asIconFile(readPicture('favicon.png')) }

/** Shows how strong a password is while it is typed. Pages work without it: the server judges. */
export const passwordMeter: Asset = hashed('password-meter', 'js', 'text/javascript; charset=utf-8', readScript('password-meter.js'))

/** Shows a password on request. Pages work without it. */
export const revealScript: Asset = hashed('reveal', 'js', 'text/javascript; charset=utf-8', readScript('reveal.js'))

/** Gives a tax id and a phone their usual form while they are typed. Pages work without it: the server takes them in any form. */
export const shapesScript: Asset = hashed('shapes', 'js', 'text/javascript; charset=utf-8', readScript('shapes.js'))

/** Makes a chosen picture small before it is sent. Pages work without it. */
export const pictureScript: Asset = hashed('picture', 'js', 'text/javascript; charset=utf-8', readScript('picture.js'))

/** Copies and prints recovery codes. Pages work without it. */
export const codesScript: Asset = hashed('codes', 'js', 'text/javascript; charset=utf-8', readScript('codes.js'))

/** Asks a device to sign in or to make a passkey. Pages hide the parts that need it until it runs. */
export const passkeyScript: Asset = hashed('passkeys', 'js', 'text/javascript; charset=utf-8', readScript('passkeys.js'))

/** Notifies the console in the other window that its user has authenticated, and closes its own. */
export const authenticatedScript: Asset = hashed('authenticated', 'js', 'text/javascript; charset=utf-8', readScript('authenticated.js'))

function readStyles(name: string): string {
  const source = readFileSync(new URL(name, import.meta.url), 'utf8')
  return source
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s*\n\s*/g, '\n')
    .replace(/([{};,])\n/g, '$1')
    .replace(/;?\n?}/g, '}')
    .replace(/ \{/g, '{')
    .replace(/([a-z]): /g, '$1:')
    .trimStart()
}

function readScript(name: string): string {
  const source = readFileSync(new URL(name, import.meta.url), 'utf8')
  return source.replace(/^\s*\/\/.*\n/gm, '').replace(/\n\s*/g, '\n')
}

function faviconBody(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${markShapes}</svg>`
}

function readPicture(name: string): Buffer {
  return readFileSync(new URL(`mark/${name}`, import.meta.url))
}

/** One picture of 32 × 32 pixels with 32 bits each, in the container that Windows made for icons. */
function asIconFile(png: Buffer): Buffer {
  const frame = Buffer.alloc(22)
  frame.writeUInt16LE(1, 2) // icons
  frame.writeUInt16LE(1, 4) // of which there is one
  frame.writeUInt8(32, 6)
  frame.writeUInt8(32, 7)
  frame.writeUInt16LE(1, 10)
  frame.writeUInt16LE(32, 12)
  frame.writeUInt32LE(png.length, 14)
  frame.writeUInt32LE(frame.length, 18)
  return Buffer.concat([frame, png])
}

function hashed(name: string, extension: string, type: string, body: string | Buffer): Asset {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 8)
  return { path: `/assets/${name}.${digest}.${extension}`, type, body }
}
