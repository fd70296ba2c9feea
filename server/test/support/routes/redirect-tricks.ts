// Addresses that are almost those of https://app.ok.example/cb, by the class of attack: each must be refused.

export const USERINFO = [
  'https://app.ok.example@evil.example/cb',
  'https://evil.example\\@app.ok.example/cb',
  'https://app.ok.example%40evil.example/cb',
]
export const TRICKS = [
  'https://app.ok.example/cb/..;/x',
  'https://app.ok.example/cb/../cb',
  'https://app.ok.example/x/%2e%2e/cb',
  'https://app.ok.example//cb',
  'https://app.ok.example\\cb',
  'https://app.ok.example/c\tb',
  'https://app.ok.example/cb\n',
  ' https://app.ok.example/cb',
  'https://APP.ok.example/cb',
  'https://app.ok.example./cb',
  'https://app.ok.example:443/cb',
  'https://app.ok.example/cb/',
  'https://app.ok.example/CB',
  'https://app.ok.example/cb?',
  'https://app.ok.example/cb#',
  'https://app.ok.example/cb?x=1',
  'https://аpp.ok.example/cb',
  'https://xn--pp-7lc.ok.example/cb',
  'https://app。ok。example/cb',
  'HTTPS://app.ok.example/cb',
  'https:app.ok.example/cb',
  'https://app.ok.example/cb\u0000',
  '\u0000',
]
export const BACKSLASHES = [
  '/\\evil.example',
  '//evil.example',
  '\\\\evil.example',
  '%2f%2fevil.example',
  '%252f%252fevil.example',
  '/account',
  '',
  '.',
  '?',
  '#',
]
export const REGEXES = ['https://fooaok.example/cb?tenant=7', 'https://fooxokxexample/cb?tenant=7', 'https://foo.ok.example/cb?tenant=77']
export const SUFFIXES = [
  'https://anything.app.ok.example/cb',
  'https://evilapp.ok.example/cb',
  'http://app.ok.example/cb',
  'https://app.ok.example.evil.example/cb',
]
export const MALFORMED = ['https://', 'https://[', 'https://[::1', 'https://a b', 'http://:80', '://', 'https://%zz/', 'https://\ufffd/']
export const SCRIPTS = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '\tjavascript:alert(1)',
  'java\nscript:alert(1)',
  'javascript://app.ok.example/cb',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://app.ok.example/cb',
  'file:///etc/passwd',
  'intent://app.ok.example/cb#Intent;end',
]
