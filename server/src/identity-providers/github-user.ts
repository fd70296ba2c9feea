import type { Configuration } from 'openid-client'
import { z } from 'zod'
import { normaliseEmail, plainEmail } from '../kit/index.ts'
import { type IdentityProvider, isAuthoritativeFor } from './provider.ts'
import type { VerifiedIdentity } from './verified-identity.ts'

const user = z.object({
  id: z.int().positive(),
  login: z.string(),
  name: z.string().nullish().catch(undefined),
  avatar_url: z.string().optional().catch(undefined),
})
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))

/** The user of an access token of GitHub. Only an address that GitHub has verified counts, and the primary one comes first. */
export async function readGithubUser(
  provider: IdentityProvider,
  configuration: Configuration,
  accessToken: string,
): Promise<VerifiedIdentity> {
  const client = await import('openid-client')
  const ask = async (path: string): Promise<unknown> => {
    const headers = new Headers({ accept: 'application/vnd.github+json', 'user-agent': 'portaria' })
    const answer = await client.fetchProtectedResource(configuration, accessToken, new URL(apiOf(provider) + path), 'GET', null, headers)
    if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}`)
    return answer.json()
  }
  const { id, login, name, avatar_url: pictureUrl } = user.parse(await ask('/user'))
  const verified = emails.parse(await ask('/user/emails')).filter((one) => one.verified)
  const text = (verified.find(({ primary }) => primary) ?? verified[0])?.email ?? ''
  const email = normaliseEmail(text)
  return {
    providerId: provider.id,
    issuer: provider.issuer,
    subject: String(id),
    email,
    emailVerified: email !== undefined && plainEmail(text) === email && isAuthoritativeFor(provider, email),
    name: name?.trim() || login,
    pictureUrl,
    saysSecondFactor: false,
  }
}

/** GitHub's own API has a host of its own; that of a GitHub Enterprise Server is below it. */
function apiOf({ issuer }: IdentityProvider): string {
  const base = issuer.replace(/\/$/, '')
  return base === 'https://github.com' ? 'https://api.github.com' : `${base}/api/v3`
}
