import { z } from 'zod'
import { recordAudit } from '../../audit/index.ts'
import { providerStore } from '../../identity-providers/index.ts'
import { readConsents, readPersonalData, readSignIn } from '../../personal-data/index.ts'
import type { Queryable } from '../../storage/index.ts'
import type { User } from '../../users/index.ts'
import type { AdminDeps } from '../api/deps.ts'
import { adminRoute, type Operations } from '../api/operations.ts'
import { refuseBulk } from '../api/rate-limits.ts'
import { reasonedBody } from '../api/request/reason.ts'
import { consentsExample, consentsSchema } from './consents-schemas.ts'
import { withTarget, withUser } from './show-user.ts'
import { signInMethodsExample, signInMethodsSchema } from './sign-in-methods-schemas.ts'

/** Routes that read a user's records: sign-in methods, consents, and the export of everything. */
export function userRecordsRoutes(operations: Operations, deps: AdminDeps): void {
  adminRoute(operations, {
    method: 'GET',
    path: '/users/:id/sign-in-methods',
    operationId: 'showSignInMethods',
    summary: 'How a user signs in',
    may: 'users:read',
    personal: ['name', 'subject', 'email'],
    answer: { description: 'Password, second factor, passkeys, providers', schema: signInMethodsSchema, example: signInMethodsExample },
    refuses: ['not_found'],
    work: ({ id }) => withUser(id, deps, async (user) => ({ body: await readSignInMethods(deps.storage.db, user) })),
  })
  adminRoute(operations, {
    method: 'GET',
    path: '/users/:id/consents',
    operationId: 'showConsents',
    summary: 'What a user has agreed to',
    may: 'users:read',
    personal: ['ip', 'user_agent'],
    answer: { description: 'The NDA and what products receive', schema: consentsSchema, example: consentsExample },
    refuses: ['not_found'],
    work: ({ id }) => withUser(id, deps, async (user) => ({ body: await readConsents(deps.storage.db, user) })),
  })
  adminRoute(operations, {
    method: 'POST',
    path: '/users/:id/export',
    operationId: 'exportUser',
    summary: 'Everything that is kept about a user (LGPD)',
    description: 'A file of JSON, the one that the user could download. A POST, since it is written into the audit log. 30 an hour.',
    may: 'users:export',
    authentication: 'recent',
    body: reasonedBody,
    answer: { description: 'The file', schema: z.object({ format: z.string() }), example: { format: 'portaria-personal-data/1' } },
    refuses: ['not_found'],
    work: (call) =>
      withTarget(call, deps, async (user) => {
        const { id, actor } = call
        const { storage, now } = deps
        const tooMany = await refuseBulk('export', call, deps)
        if (tooMany) return tooMany
        await recordAudit(storage.db, { actor, action: 'user.export', target: id }, now())
        return { file: { name: `portaria-${id}.json`, body: await readPersonalData(user, deps) } }
      }),
  })
}

/** The user's sign-in methods. Each provider has the name that the operator gave it. */
async function readSignInMethods(db: Queryable, user: User) {
  const { providers, ...rest } = await readSignIn(db, user)
  const names = new Map((await providerStore(db).list()).map(({ issuer, name }) => [issuer, name]))
  return { ...rest, providers: providers.map((one) => ({ provider: names.get(one.issuer) ?? null, ...one })) }
}
