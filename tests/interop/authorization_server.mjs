// SPDX-License-Identifier: MIT
// An authorization server of others, oidc-provider, at a port of its own on the loopback. It prints its issuer. Then
// each line of its input is a command in JSON, and each line of its output the answer. Its user has no browser: the
// login page sends back at once, by the policy. Usage: node authorization_server.mjs [--slash]
//   --slash                its issuer ends in a slash
//   {"set": {POLICY...}}   changes the policy
//   {"rotate": true}       signs with new keys; the old ones stay published
//   {"down": true}         stops listening, with all connections; "up" listens again
//   {"revoke": true}       revokes all access tokens; "all": whatever a user has granted
//   {"client": {...}}      adds a client, by its metadata
//   {"key": true}          answers with a new key: pem, and jwk, the public part
//   {"log": true}          answers with the requests until now: method, path, grant, status
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { exportJWK, exportPKCS8, generateKeyPair } from 'jose';
import { Provider } from 'oidc-provider';

console.info = console.warn = console.error; // what the library advises; answers alone go to the output

const USER = 'ada';
const SCOPES = ['mcp:read', 'mcp:write'];
const policy = {
    ttl: 300, // s that access tokens live
    skew: 0, // s by which the clock of its tokens is ahead
    format: 'jwt', // of access tokens, or "opaque"
    alg: 'ES256', // of their signature
    refresh: true, // there are refresh tokens
    deny: false, // the user says no
    granted: null, // the scopes that the user grants at most; null: all
    nonces: false, // proofs of possession need a nonce
    delay: 0, // ms before a token request is answered
    die: null // the path at whose next request the server stops listening
};

// ---- What it keeps --------------------------------------------------------------------------------------------

const kept = new Map(); // by "Model:id"

class Store {
    constructor(model) {
        this.model = model;
    }

    async upsert(id, { ...payload }) {
        if (this.model === 'Client') delete payload.scope; // a client may ask for more than it has registered
        kept.set(`${this.model}:${id}`, { ...payload, id });
    }

    async find(id) {
        return kept.get(`${this.model}:${id}`);
    }

    async findByUid(uid) {
        return [...kept.values()].find(one => one.kind === this.model && one.uid === uid);
    }

    async consume(id) {
        kept.get(`${this.model}:${id}`).consumed = Math.floor(Date.now() / 1000);
    }

    async destroy(id) {
        kept.delete(`${this.model}:${id}`);
    }

    async revokeByGrantId(grantId) {
        for (const [key, one] of kept) if (one.grantId === grantId) kept.delete(key);
    }
}

// ---- The provider ---------------------------------------------------------------------------------------------

const keys = []; // the newest first

async function addKeys() {
    for (const alg of ['RS256', 'ES256']) {
        const { privateKey } = await generateKeyPair(alg, { extractable: true });
        keys.unshift({ ...(await exportJWK(privateKey)), alg, use: 'sig', kid: randomBytes(8).toString('hex') });
    }
}

const resource = identifier => ({
    scope: SCOPES.join(' '),
    audience: identifier,
    accessTokenTTL: policy.ttl,
    accessTokenFormat: policy.format,
    ...(policy.format === 'jwt' && { jwt: { sign: { alg: policy.alg } } })
});

// A client id metadata document: there is no site on the network, so it is made of its URL.
const CLIENT_PAGE = 'https://client.example/';
const fetchDocument = async url => {
    if (!String(url).startsWith(CLIENT_PAGE)) throw new Error('no such document');
    return Response.json({
        client_id: String(url),
        client_name: 'A client with a document',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'none',
        application_type: 'native'
    });
};

const nonceSecret = randomBytes(32);
const cookieKey = randomBytes(32).toString('hex');

function makeProvider(issuer) {
    const provider = new Provider(issuer, {
        adapter: Store,
        jwks: { keys },
        cookies: { keys: [cookieKey] },
        scopes: ['openid', 'offline_access', ...SCOPES],
        clientDefaults: { id_token_signed_response_alg: 'ES256' },
        findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
        fetch: fetchDocument,
        interactions: { url: (_, interaction) => `/login/${interaction.uid}` },
        issueRefreshToken: (_, client) => policy.refresh && client.grantTypeAllowed('refresh_token'),
        pkce: { required: () => true },
        rotateRefreshToken: true,
        formats: {
            customizers: {
                jwt: (_, token, { header, payload }) => {
                    for (const claim of ['iat', 'exp']) payload[claim] += policy.skew;
                    return { header, payload };
                }
            }
        },
        features: {
            devInteractions: { enabled: false },
            clientCredentials: { enabled: true },
            clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
            dPoP: { enabled: true, nonceSecret, requireNonce: () => policy.nonces },
            introspection: { enabled: true },
            registration: { enabled: true },
            resourceIndicators: { enabled: true, getResourceServerInfo: (_, identifier) => resource(identifier) },
            revocation: { enabled: true },
            userinfo: { enabled: false }
        }
    });
    provider.use(note);
    provider.use(answerUser);
    provider.on('server_error', (_, error) => console.error(error));
    return provider;
}

// ---- The user -------------------------------------------------------------------------------------------------

async function grantScopes(provider, { clientId, asked, resources }) {
    const grant = new provider.Grant({ accountId: USER, clientId });
    const allowed = asked.filter(scope => !SCOPES.includes(scope) || !policy.granted || policy.granted.includes(scope));
    const refused = asked.filter(scope => !allowed.includes(scope));
    grant.addOIDCScope(allowed.join(' '));
    grant.rejectOIDCScope(refused.join(' '));
    for (const identifier of resources) {
        grant.addResourceScope(identifier, allowed.filter(scope => SCOPES.includes(scope)).join(' '));
        if (refused.length) grant.rejectResourceScope(identifier, refused.join(' '));
    }
    return grant.save();
}

async function answerUser(ctx, next) {
    if (!ctx.path.startsWith('/login/')) return next();
    const { params } = await current.interactionDetails(ctx.req, ctx.res);
    ctx.respond = false;
    if (policy.deny) {
        const error = { error: 'access_denied', error_description: 'the user said no' };
        return current.interactionFinished(ctx.req, ctx.res, error);
    }
    const grantId = await grantScopes(current, {
        clientId: params.client_id,
        asked: (params.scope ?? '').split(' ').filter(Boolean),
        resources: [params.resource].flat().filter(Boolean)
    });
    return current.interactionFinished(ctx.req, ctx.res, { login: { accountId: USER }, consent: { grantId } });
}

// ---- Requests -------------------------------------------------------------------------------------------------

const log = [];

async function note(ctx, next) {
    await next();
    if (ctx.path === '/token' && policy.delay) await sleep(policy.delay);
    log.push({ method: ctx.method, path: ctx.path, grant: ctx.oidc?.params?.grant_type, status: ctx.status });
}

let current;
const http = createServer((request, response) => {
    if (policy.die === null || !request.url.startsWith(policy.die)) return current.callback()(request, response);
    log.push({ method: request.method, path: request.url, status: 0 });
    down();
});

const { port } = await new Promise(resolve => http.listen(0, '127.0.0.1', () => resolve(http.address())));
const issuer = `http://127.0.0.1:${port}${process.argv.includes('--slash') ? '/' : ''}`;

function down() {
    policy.die = null;
    http.close();
    http.closeAllConnections();
}

async function rotate() {
    await addKeys();
    current = makeProvider(issuer);
}

const commands = {
    set: changes => void Object.assign(policy, changes),
    rotate,
    down,
    up: () => new Promise(resolve => http.listen(port, '127.0.0.1', resolve)),
    revoke: what => {
        const models = what === 'all' ? /^(AccessToken|RefreshToken|Grant|Session):/ : /^AccessToken:/;
        for (const key of kept.keys()) if (models.test(key)) kept.delete(key);
    },
    client: client => void kept.set(`Client:${client.client_id}`, client),
    key: async () => {
        const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
        const jwk = await exportJWK(publicKey);
        return { pem: await exportPKCS8(privateKey), jwk: { ...jwk, kid: 'of-the-operator' } };
    },
    log: () => log
};

await rotate();
console.log(issuer);
for await (const line of createInterface({ input: process.stdin })) {
    const [[name, value]] = Object.entries(JSON.parse(line));
    console.log(JSON.stringify((await commands[name](value)) ?? null));
}
process.exit(0);
