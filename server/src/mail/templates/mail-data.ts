export interface Named {
  /** The user's name, or empty. The mail greets by it only if it looks like a name. */
  name: string
}

interface CodeAndLink extends Named {
  code: string
  /** Leads to a page with a button; opening it changes nothing. */
  url: string
  minutes: number
}

/** The circumstances of a user's action: `when` in ms, `device` in words. */
interface Whereabouts extends Named {
  when: number
  device: string
  ip: string
}

/** `endpoint`: its address without the scheme; `url`: its page in the console. */
export interface FailedEndpoint extends Named {
  endpoint: string
  product: string | undefined
  since: number
  answer: string
  url: string
}

/** Every kind of mail, with its data. */
export interface MailData {
  confirm_address: CodeAndLink
  account_exists: Named & { signInUrl: string; recoverUrl: string }
  reset_password: Named & { url: string; minutes: number }
  /** `passkeys` is the account's number of passkeys: a new password leaves them as they are. */
  password_changed: Whereabouts & { recoverUrl: string; passkeys: number }
  passkey_added: Whereabouts & { reportUrl: string }
  passkey_removed: Whereabouts & { reportUrl: string }
  second_factor_on: Whereabouts & { reportUrl: string }
  second_factor_off: Whereabouts & { reportUrl: string }
  recovery_codes_renewed: Whereabouts & { reportUrl: string }
  /** By the operator, for a user who has lost all factors. */
  factors_removed: Named & { when: number; reportUrl: string }
  /** `left` recovery codes are still good. */
  recovery_code_used: Whereabouts & { left: number; reportUrl: string }
  /** `isPresent`: it is the account's own address, not verified yet. */
  confirm_new_address: Named & { url: string; minutes: number; isPresent?: true }
  address_changed: Named & { newAddress: string; reportUrl: string }
  /** By the user. `taxId`: the number as it is now, masked. */
  tax_id_corrected: Whereabouts & { taxId: string; reportUrl: string }
  /** By support. Without `taxId` the number was removed. */
  tax_id_changed_by_support: Named & { when: number; taxId?: string; reportUrl: string }
  new_device: Whereabouts & { reportUrl: string }
  invitation: Named & { url: string; days: number }
  /** `url`: the console's. */
  role_given: Named & { role: 'owner' | 'support' | 'viewer'; url: string }
  /** An event endpoint that has failed for a day. `answer`: the last one, or why there was none; times in ms. */
  endpoint_failing: FailedEndpoint & { disablesAt: number }
  endpoint_disabled: FailedEndpoint & { cause: 'failing' | 'gone' }
  identity_linked: Named & { provider: string; reportUrl: string }
  identity_unlinked: Whereabouts & { provider: string; reportUrl: string }
  account_claimed: Named & { provider: string }
  /** An administrator impersonates the user: from when until when, in ms, and why, in the administrator's words. */
  impersonated: Named & { when: number; until: number; reason: string }
  /** `dueAt`: when the data goes, in ms. */
  deletion_requested: Named & { dueAt: number; undoUrl: string; days: number }
  /** The last mail: no link is left to offer. */
  account_deleted: Named
}

export type MailKind = keyof MailData
