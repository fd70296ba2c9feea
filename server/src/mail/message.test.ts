import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMail } from './message.ts'

const mail = { to: 'ana@example.com', subject: 'Olá 👋', text: 'Oi', html: '<p>Oi</p>' }

test('a mail in a job is read back as it was written', () => {
  assert.deepEqual(parseMail(JSON.parse(JSON.stringify(mail))), mail)
})

const breaks = ['\r\n', '\n', '\r', '\0', '\u0085', '\u2028', '\u2029', '\t']
for (const control of breaks) {
  test(`a subject with ${JSON.stringify(control)} is refused, since it could begin another header`, () => {
    assert.throws(() => parseMail({ ...mail, subject: `Oi${control}Bcc: eve@example.com` }), /^Error: the payload is no mail: subject$/)
  })
  test(`an address with ${JSON.stringify(control)} is refused`, () => {
    assert.throws(() => parseMail({ ...mail, to: `ana@example.com${control}Bcc: eve@example.com` }), /: to$/)
  })
  test(`a sender's name or an address for answers with ${JSON.stringify(control)} is refused`, () => {
    assert.equal(parseMail({ ...mail, senderName: 'Escola', replyTo: 'oi@example.com' }).senderName, 'Escola')
    assert.throws(() => parseMail({ ...mail, senderName: `Escola${control}Bcc: eve@example.com` }), /: senderName$/)
    assert.throws(() => parseMail({ ...mail, replyTo: `oi@example.com${control}Bcc: eve@example.com` }), /: replyTo$/)
  })
}

const addresses = [
  'ana@example.com, eve@example.com',
  'Ana <ana@example.com>',
  'ANA@example.com',
  ' ana@example.com',
  'ana@example.com>',
  'ana',
  '',
  'ana@exámple.com',
]
for (const to of addresses) {
  test(`"${to}" is not one address in its normal form, and is refused unquoted`, () => {
    assert.throws(
      () => parseMail({ ...mail, to }),
      (fault: Error) => fault.message === 'the payload is no mail: to',
    )
  })
}

for (const payload of [
  undefined,
  null,
  'mail',
  [],
  {},
  { ...mail, bcc: 'eve@example.com' },
  { ...mail, html: '' },
  { ...mail, text: { path: '/etc/passwd' } },
]) {
  test(`${JSON.stringify(payload)} is no mail`, () => {
    assert.throws(() => parseMail(payload), /the payload is no mail/)
  })
}
