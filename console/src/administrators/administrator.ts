import type { Role } from '../roles.ts'

/** A user with a role, in the API's form. */
export interface Administrator {
  id: string
  email: string
  name: string
  role: Role
  created_at: string
}
