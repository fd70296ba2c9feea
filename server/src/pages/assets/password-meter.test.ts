import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { passwordMeter } from './assets.ts'

const ana = ['Ana Flávia Conceição', 'ana.flavia@exemplo.com.br']
/** The script as browsers get it, on a page without a meter. */
const judge: (password: string, personal: string[]) => { level: number; reason: string } = runInNewContext(`${passwordMeter.body};judge`, {
  document: { querySelectorAll: () => [] },
})
const reasonOf = (password: string) => judge(password, ana).reason
const levelOf = (password: string) => judge(password, ana).level

test('the strength shown while typing is the lowest, with its reason, for what anyone would try first', () => {
  for (const password of [
    '12345678',
    'senha123456',
    'Flamengo2024!',
    'P@ssw0rd!',
    'qwertyuiop',
    'abcabcabcabc',
    'aaaaaaaaaaaa',
    'mudar123',
  ]) {
    assert.equal(reasonOf(password), 'common', password)
  }
  assert.equal(reasonOf('ana.flavia'), 'personal')
  assert.equal(reasonOf('Conceicao99'), 'personal')
  assert.equal(reasonOf('Xk7pq2v'), 'short')
})

test('the strength shown while typing grows with the length of what nobody would try', () => {
  assert.equal(levelOf('Xk7pq2vb'), 2)
  assert.equal(levelOf('correnteza'), 3)
  assert.equal(levelOf('girassol no telhado 7'), 4)
})

test('the script of the strength is smaller than 3 KB', () => {
  assert.ok(Buffer.byteLength(passwordMeter.body) < 3_072)
})
