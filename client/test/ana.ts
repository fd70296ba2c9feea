import { createPortaria, type Portaria, type User } from '../src/index.ts'

/** A user, for what is tested without the service. */
export const ANA: User = {
  id: '0199c2b4-1111-7c1e-9f52-1b6f0a4c8e21',
  email: null,
  name: 'Ana',
  avatarUrl: null,
  isProducer: false,
  companyName: null,
  rankName: null,
  planSlug: null,
  actorId: null,
}

/** A client for which every request is this user's. */
export function portariaOf(user: User): Portaria {
  return { ...createPortaria({ url: 'http://localhost:1', appUrl: 'http://localhost:2' }), requireUser: async () => ({ user }) }
}
