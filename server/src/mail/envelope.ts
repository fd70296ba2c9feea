import type { SendMailOptions } from 'nodemailer'
import type { Mail } from './message.ts'
import type { Sender } from './sender.ts'

export function envelope(mail: Mail, sender: Sender, { messageId, at }: { messageId: string; at: number }): SendMailOptions {
  if (!/^[\w.-]{1,100}$/.test(messageId)) throw new TypeError('a message id is made of letters, digits, dots and dashes')
  return {
    from: mail.senderName === undefined ? sender : { ...sender, name: mail.senderName },
    ...(mail.replyTo !== undefined && { replyTo: mail.replyTo }),
    to: { name: '', address: mail.to },
    envelope: { from: sender.address, to: [mail.to] },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    textEncoding: 'quoted-printable',
    date: new Date(at),
    messageId: `<${messageId}@${sender.address.split('@')[1]}>`,
    headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834: prevents automatic replies
  }
}
