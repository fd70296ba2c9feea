import type { RedirectUriRefusal } from '../../products/index.ts'

/** Why an address can't be registered, and a form that can, in plain words. */
export function redirectUriSentence({ refusal, use }: RedirectUriRefusal): string {
  return `${uris[refusal]}${use === undefined ? '' : `; use ${use}`}`
}

const uris = {
  malformed: 'it is not a complete address without spaces, backslashes or control characters',
  not_normal: 'it is not in normal form',
  scheme: 'it must begin with https:// (http:// only for localhost and 127.0.0.1)',
  userinfo: 'it must not hold a user name or @',
  fragment: 'it must not hold a # part',
  wildcard: 'wildcards are not supported: register each address',
  host: 'its host is missing or ends with a dot',
  reserved_parameter: 'its query must not hold eg_session, eg_token or state: Portaria adds those itself',
  too_long: 'it is longer than 1000 characters',
} as const satisfies Record<RedirectUriRefusal['refusal'], string>
