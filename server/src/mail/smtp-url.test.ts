import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSender } from './sender.ts'
import { parseSmtpUrl } from './smtp-url.ts'

test('to another machine TLS is required and its certificate verified', () => {
  const expected = { host: 'mail.example.com', port: 587, implicitTls: false, requireTls: true, verifyCertificate: true, auth: undefined }
  assert.deepEqual(parseSmtpUrl('smtp://mail.example.com'), expected)
  assert.deepEqual(parseSmtpUrl('smtps://mail.example.com/'), { ...expected, port: 465, implicitTls: true, requireTls: false })
  assert.deepEqual(parseSmtpUrl('smtp://mail.example.com:25?requireTLS=false'), { ...expected, port: 25, requireTls: false })
  assert.equal(parseSmtpUrl('smtp://mail.example.com?tls.rejectUnauthorized=false').verifyCertificate, false)
})

for (const host of ['localhost', '127.0.0.1', '[::1]']) {
  test(`to ${host} TLS is taken if it is offered`, () => {
    const { requireTls, verifyCertificate } = parseSmtpUrl(`smtp://${host}:2525`)
    assert.deepEqual([requireTls, verifyCertificate], [false, false])
  })
}

for (const host of ['localhost.example.com', '127.0.0.1.example.com', '10.0.0.1', '[2001:db8::1]']) {
  test(`${host} is another machine`, () => {
    assert.equal(parseSmtpUrl(`smtp://${host}`).requireTls, true)
  })
}

const faults = [
  '',
  'mail.example.com',
  'http://mail.example.com',
  'smtp://',
  'smtp://h/path',
  'smtp://u:s3cret%@h',
  'smtp://u:s3cret@h?logger=true',
  'smtp://u:s3cret@h?debug=true',
  'smtp://h?requireTLS=no',
]
for (const text of faults) {
  test(`"${text}" is no mail server, and the fault quotes no password`, () => {
    assert.throws(
      () => parseSmtpUrl(text),
      (fault: Error) => fault instanceof TypeError && !fault.message.includes('s3cret'),
    )
  })
}

test('a sender is an address, with or without a name', () => {
  assert.deepEqual(parseSender('no-reply@example.com'), { name: 'Portaria', address: 'no-reply@example.com' })
  assert.deepEqual(parseSender('Portão <no-reply@example.com>'), { name: 'Portão', address: 'no-reply@example.com' })
  assert.deepEqual(parseSender('"Portão, Ltda." <no-reply@example.com>'), { name: 'Portão, Ltda.', address: 'no-reply@example.com' })
  assert.deepEqual(parseSender('portaria@localhost'), { name: 'Portaria', address: 'portaria@localhost' })
})

for (const text of [
  '',
  'Portaria',
  'a@b',
  'a@example.com, b@example.com',
  'A\r\nBcc: eve@example.com <a@example.com>',
  'A <a@example.com> b',
  '<>',
]) {
  test(`${JSON.stringify(text)} is no sender`, () => {
    assert.throws(() => parseSender(text), TypeError)
  })
}
