/** A ticket lets the reader of a mailbox do one of these things, once. */
export type TicketPurpose = 'sign_up' | 'reset_password' | 'change_email' | 'invitation' | 'report_sign_in' | 'undo_deletion'
