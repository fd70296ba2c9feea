import type { Transaction } from '../../../storage/index.ts'
import { isLastOwner, type User, type UserRefusal } from '../../../users/index.ts'

export async function refuseLastOwner(tx: Transaction, { id }: User): Promise<UserRefusal | undefined> {
  return (await isLastOwner(tx, id)) ? { refusal: 'last_owner' } : undefined
}
