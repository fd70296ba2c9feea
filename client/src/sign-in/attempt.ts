import { base64url } from 'jose'
import { hostName, listCookies, readCookies, writeCookie } from '../http/cookies.ts'
import { numberAt, parseJson, textAt } from '../http/json.ts'
import { randomText } from '../http/random-text.ts'
import type { Settings } from '../settings.ts'

/** One sign-in that this browser has begun. Each has a cookie of its own, so that several tabs can sign in at once. */
export interface Attempt {
  /** The path of this app to return to. */
  returnTo: string
  /** How often this browser was redirected for this without coming back with a token. */
  hops: number
}

const MAX_AT_ONCE = 8
/** More were not begun here, and are ignored. */
const MAX_SEEN = 20
/** All of them together, in characters: servers refuse headers of more than 8 KB, and the session needs a part. */
const MAX_CHARACTERS = 3000
const LIFE_SECONDS = 1800

type Place = Pick<Settings, 'isHttps' | 'appOrigin' | 'authPath' | 'now'>

/**
 * Begins an attempt. `state` goes to Portaria and comes back; its secret half stands in a cookie that no other browser has, which ties a
 * callback to this browser (RFC 6749 §10.12). The oldest of too many are forgotten, so that the `Cookie` header stays short.
 */
export function beginAttempt(attempt: Attempt, cookies: string | null, place: Place): { state: string; setCookies: string[] } {
  const { isHttps, now } = place
  const id = randomText(6)
  const secret = randomText(18)
  const { returnTo: r, hops: h } = attempt
  const value = base64url.encode(JSON.stringify({ s: secret, r, h, t: now(), c: callbackOf(place) }))
  const forgotten = tooMany(listOpen(cookies, isHttps), value.length).map((name) => writeCookie(name, '', { maxAge: 0, isHttps }))
  return {
    state: `${id}.${secret}`,
    setCookies: [writeCookie(prefix(isHttps) + id, value, { maxAge: LIFE_SECONDS, isHttps }), ...forgotten],
  }
}

/** The largest number of redirects among this browser's attempts of the last seconds. */
export function maxHops(cookies: string | null, place: Place, seconds: number): number {
  const since = place.now() - seconds * 1000
  const own = listOpen(cookies, place.isHttps).filter(({ kept }) => kept?.callback === callbackOf(place) && kept.at > since)
  return Math.max(0, ...own.map(({ kept }) => kept?.hops ?? 0))
}

/** The attempt of a `state`, if this browser began it, and the `Set-Cookie` that ends it. */
export function endAttempt(
  state: string | null,
  cookies: string | null,
  place: Place,
): { attempt: Attempt; setCookie: string } | undefined {
  const { isHttps, now } = place
  const [, id, secret] = /^([\w-]{8})\.([\w-]{24})$/.exec(state ?? '') ?? []
  if (id === undefined || secret === undefined) return undefined
  const name = prefix(isHttps) + id
  const kept = readCookies(cookies, name).map(parse)
  const own = kept.find((one) => one !== undefined && isSameText(one.secret, secret))
  if (!own || own.callback !== callbackOf(place) || own.at < now() - LIFE_SECONDS * 1000) return undefined
  return { attempt: { returnTo: own.returnTo, hops: own.hops }, setCookie: writeCookie(name, '', { maxAge: 0, isHttps }) }
}

/** Distinguishes this app's callback from others on its host: cookies ignore ports. */
function callbackOf({ appOrigin, authPath }: Place): string {
  return new URL(appOrigin).port + authPath
}

const prefix = (isHttps: boolean) => hostName('portaria_attempt_', isHttps)

interface Open {
  name: string
  length: number
  kept: Kept | undefined
}

function listOpen(cookies: string | null, isHttps: boolean): Open[] {
  const open = listCookies(cookies, prefix(isHttps), MAX_SEEN)
  return [...open].map(([name, value]) => ({ name, length: name.length + value.length, kept: parse(value) }))
}

/** The names of the oldest ones, which a new one replaces. */
function tooMany(open: Open[], taken: number): string[] {
  const byAge = open.sort((a, b) => (b.kept?.at ?? 0) - (a.kept?.at ?? 0))
  let characters = taken
  const kept = byAge.slice(0, MAX_AT_ONCE - 1).filter(({ length }) => {
    characters += length
    return characters <= MAX_CHARACTERS
  })
  return byAge.filter((one) => !kept.includes(one)).map(({ name }) => name)
}

interface Kept extends Attempt {
  secret: string
  callback: string
  /** Ms. */
  at: number
}

/** `undefined`: another party's cookie of the same name. */
function parse(value: string): Kept | undefined {
  const object = parseJson(decode(value))
  const [secret, returnTo, callback] = [textAt(object, 's'), textAt(object, 'r'), textAt(object, 'c')]
  const [hops, at] = [numberAt(object, 'h'), numberAt(object, 't')]
  if (secret === null || returnTo === null || callback === null || hops === undefined || at === undefined) return undefined
  return { secret, returnTo, callback, hops, at }
}

/** `undefined`: no base64url. */
function decode(value: string): string | undefined {
  try {
    return new TextDecoder().decode(base64url.decode(value))
  } catch {
    return undefined
  }
}

/** In constant time: it must not reveal how much of a guess was right. */
function isSameText(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < one.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}
