import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ChangeFeed } from '../../changes/index.ts'
import { clientAddress, formBody, queryOf } from '../../http/index.ts'
import type { Outbox } from '../../outbox/index.ts'
import { ownHref } from '../../pages/index.ts'
import {
  answerForm,
  askToSignIn,
  createGuards,
  deviceLabel,
  type GuardDeps,
  holdSignedInUser,
  type SignedInUser,
} from '../../sign-in/index.ts'
import { changeOwnTaxId, findMaskedTaxId, type OwnTaxIdRefusal, readOwnTaxIdState } from '../../users/index.ts'
import { ownTaxIdSchema, saveOwnTaxIdSchema } from './profile-schemas.ts'
import { ownTaxIdPage } from './tax-id-page.ts'

export interface OwnTaxIdDeps extends GuardDeps {
  changes: ChangeFeed
  taxIdKey: Uint8Array
  codeKey: Uint8Array
  outbox: Pick<Outbox, 'wake'>
}

const TAX_ID = '/account/tax-id'
const SAVED = ['entered', 'corrected'] as const

/** A user's CPF or CNPJ. It says who they are before the law, so each look and change needs a recent authentication. */
export function ownTaxIdRoutes(scope: FastifyInstance, deps: OwnTaxIdDeps): void {
  const { requireRecentAuth } = createGuards(deps)
  scope.get(TAX_ID, { schema: ownTaxIdSchema }, requireRecentAuth(show))
  scope.post(TAX_ID, { schema: saveOwnTaxIdSchema }, requireRecentAuth(save))
}

function show(request: FastifyRequest, reply: FastifyReply, owner: SignedInUser, deps: OwnTaxIdDeps): Promise<FastifyReply> {
  return answer(request, reply, owner, { saved: SAVED.find((one) => one === queryOf(request).get('saved')) }, deps)
}

type Said = Pick<Parameters<typeof ownTaxIdPage>[1], 'typed' | 'error' | 'saved'>

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { user }: SignedInUser,
  said: Said,
  deps: OwnTaxIdDeps,
): Promise<FastifyReply> {
  const state = await readOwnTaxIdState(deps.storage.db, user.id)
  const current = await findMaskedTaxId(user, deps)
  const page = ownTaxIdPage(deps.responses.pageContext(request, reply, TAX_ID), { state, current, ...said })
  const status = said.error === undefined ? 200 : STATUS[said.error]
  return answerForm(request, reply, { status, page, problem: said.error }, deps)
}

const STATUS = {
  required: 400,
  invalid: 400,
  same: 400,
  unusable: 400,
  too_many_tries: 429,
  corrected_already: 409,
} as const satisfies Record<Exclude<OwnTaxIdRefusal, 'gone'>, number>

async function save(request: FastifyRequest, reply: FastifyReply, owner: SignedInUser, deps: OwnTaxIdDeps): Promise<FastifyReply> {
  const typed = formBody(request)?.get('tax_id') ?? ''
  const changed = await changeOwnTaxId(owner.user.id, typed, {
    ...deps,
    address: clientAddress(request),
    device: await deviceLabel(request.headers['user-agent'] ?? ''),
    hold: (tx) => holdSignedInUser(tx, owner, deps.now),
  })
  deps.outbox.wake()
  if ('saved' in changed) return deps.responses.redirect(reply, ownHref(TAX_ID, { saved: changed.saved }))
  if (changed.refusal === 'gone') return askToSignIn(request, reply, deps)
  return answer(request, reply, owner, { typed, error: changed.refusal }, deps)
}
