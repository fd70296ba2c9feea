import type { MasterKeyRefusal } from '../../admin/index.ts'

const masterKeys = {
  does_not_open: 'opens with neither key, so nothing was changed: set PORTARIA_MASTER_KEY_PREVIOUS to the key in use until now',
  tax_id_twice:
    'holds a tax id that another account has registered since the new key was set, so nothing was changed: clear one of the two first',
} as const satisfies Record<MasterKeyRefusal['refusal'], string>

export function masterKeySentence({ refusal, place }: MasterKeyRefusal): string {
  return `${place} ${masterKeys[refusal]}`
}
