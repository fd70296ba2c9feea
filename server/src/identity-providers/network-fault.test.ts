import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainNetworkFault, isUnreachable } from './network-fault.ts'

const ADDRESS = 'https://um.example:8443/keys'

/** A fault as undici throws it. */
function fetchFailed(code: string, message = `${code} of the system`): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) })
}

for (const [code, says] of Object.entries({
  ENOTFOUND:
    'the name um.example was not found, so nothing was asked: is it right, and does this machine have a network and a DNS that knows it?',
  EAI_AGAIN: "the host um.example can't be looked up just now: check this machine's network and DNS, then try again",
  ECONNREFUSED: 'um.example:8443 does not answer: is it running, and reachable from here?',
  ENETUNREACH: 'um.example:8443 does not answer: no way leads there from this machine, look at its network and firewall',
  ETIMEDOUT: 'um.example:8443 does not answer in time: is it well, and does no firewall stand in between?',
  ECONNRESET: 'um.example:8443 ends the connection in place of an answer: is the port right, and does no proxy or firewall cut in?',
  ERR_SSL_WRONG_VERSION_NUMBER: 'um.example:8443 does not speak TLS: is the port right, and is it https there?',
  CERT_NOT_YET_VALID: 'the certificate of um.example:8443 is not valid yet: check the clock of this machine',
})) {
  test(`${code} on the way to a provider is said in plain words, with what to do`, () => {
    const explained = explainNetworkFault(fetchFailed(code), ADDRESS)
    assert.equal(explained?.says, says)
    assert.deepEqual(explained?.values, { host: 'um.example:8443', hostname: 'um.example' })
    assert.ok(isUnreachable(fetchFailed(code)))
  })
}

test('a fault on the way has a code of its own, for whoever says it in another language', () => {
  const codeOf = (code: string, message?: string) => explainNetworkFault(fetchFailed(code, message), ADDRESS)?.code
  assert.equal(codeOf('ENOTFOUND'), 'no_such_host')
  assert.equal(codeOf('UND_ERR_CONNECT_TIMEOUT'), 'timed_out')
  assert.equal(codeOf('EPROTO'), codeOf('ERR_SSL_WRONG_VERSION_NUMBER'))
  assert.equal(codeOf('SELF_SIGNED_CERT_IN_CHAIN'), 'certificate_untrusted')
  assert.equal(codeOf('', '10.0.0.7 is a private address: PORTARIA_ALLOW_PRIVATE would have to name it'), 'private_address')
  assert.equal(codeOf('', 'bad port'), 'forbidden_port')
})

test('a certificate of an unknown issuer is not taken for another issuer', () => {
  const fault = fetchFailed('UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unable to get local issuer certificate')
  assert.match(explainNetworkFault(fault, ADDRESS)?.says ?? '', /^the certificate of um\.example:8443 is not trusted on this machine: /)
})

test('an answer that does not hold is no fault of the network', () => {
  const fault = new Error('unexpected answer', { cause: new Response('no', { status: 500 }) })
  assert.equal(explainNetworkFault(fault, ADDRESS), undefined)
  assert.equal(isUnreachable(fault), false)
  assert.equal(explainNetworkFault(fetchFailed('ECONNRESET'), 'no address'), undefined)
})
