// SPDX-License-Identifier: Apache-2.0
import { WebGLRenderer } from 'three';

const root = document.getElementById('studio');
const token = new URLSearchParams(location.search).get('token') ?? '';
const socket = new WebSocket(`ws://${location.host}/socket?token=${encodeURIComponent(token)}`);
root?.append(new WebGLRenderer({ antialias: true }).domElement);
socket.addEventListener('open', () => socket.send(JSON.stringify({ id: 1, do: 'hello' })));
