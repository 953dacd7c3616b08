// SPDX-License-Identifier: Apache-2.0
#include "toile/io/html_player.h"

namespace toile::detail {

const char* const kHtmlPageStart = R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-player'; style-src 'nonce-player'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>)html";

const char* const kHtmlPageMiddle = R"html(</title>
<style nonce="player">
:root { color-scheme: light dark; --ground: #f2f1ee; --panel: #ffffffdd; --ink: #222; }
@media (prefers-color-scheme: dark) { :root { --ground: #1d1f22; --panel: #2a2d31dd; --ink: #ddd; } }
* { box-sizing: border-box; }
html, body { margin: 0; height: 100%; overflow: hidden; background: var(--ground); color: var(--ink);
  font: 14px/1.4 system-ui, sans-serif; }
canvas { position: fixed; inset: 0; width: 100%; height: 100%; touch-action: none; cursor: grab; }
.panel { position: fixed; background: var(--panel); border-radius: 8px; padding: 8px 12px; }
#bar { left: 12px; right: 12px; bottom: 12px; display: flex; gap: 10px; align-items: center; }
#bar input[type=range] { flex: 1; }
#bodies { top: 12px; right: 12px; max-height: 60%; overflow: auto; }
#bodies div { display: flex; gap: 6px; align-items: center; }
#bodies input[type=color] { width: 26px; height: 20px; padding: 0; border: 0; background: none; }
#name { top: 12px; left: 12px; font-weight: 600; }
#said { top: 50%; left: 50%; transform: translate(-50%, -50%); }
[hidden] { display: none !important; }
</style>
</head>
<body>
<canvas id="view" tabindex="0" aria-label="Turn: drag. Move: right button, or Shift and drag. Zoom: wheel."></canvas>
<div class="panel" id="name"></div>
<div class="panel" id="bodies"></div>
<div class="panel" id="said" role="alert" hidden></div>
<div class="panel" id="bar">
<button id="play" title="Play or pause (Space)">Play</button>
<input id="time" type="range" min="0" value="0" step="1" title="Frame (left and right arrow)" aria-label="Frame">
<span id="at"></span>
<label title="Speed of playing">Speed <select id="speed"><option>0.1</option><option>0.25</option><option>0.5</option><option selected>1</option><option>2</option><option>4</option></select></label>
<label title="Draw edges too (E)"><input id="edges" type="checkbox"> Edges</label>
<button id="fit" title="Show all (F)">Fit</button>
</div>
)html";

const char* const kHtmlPageEnd = R"html(<script nonce="player">
"use strict";
(() => {
  const $ = id => document.getElementById(id);
  const head = JSON.parse($("head").textContent);
  const bytes = id => {
    const text = atob($(id).textContent);
    const out = new Uint8Array(text.length);
    for (let k = 0; k < text.length; ++k) out[k] = text.charCodeAt(k);
    return out.buffer;
  };
  const canvas = $("view");
  const gl = canvas.getContext("webgl2", { antialias: true });
  if (!gl) {
    $("said").textContent = "This browser cannot draw with WebGL 2.";
    $("said").hidden = false;
    return;
  }

  const program = (() => {
    const shader = (kind, text) => {
      const it = gl.createShader(kind);
      gl.shaderSource(it, "#version 300 es\nprecision highp float;\n" + text);
      gl.compileShader(it);
      if (!gl.getShaderParameter(it, gl.COMPILE_STATUS)) throw Error(gl.getShaderInfoLog(it));
      return it;
    };
    const it = gl.createProgram();
    gl.attachShader(it, shader(gl.VERTEX_SHADER, `
      in vec3 here; in vec3 there; in vec3 normal_here; in vec3 normal_there;
      uniform vec3 low, size; uniform mat4 camera; uniform float share, plain; uniform vec3 eye;
      out vec3 normal; out vec3 ray;
      void main() {
        vec3 p = low + size * mix(here, there, share);
        normal = mix(normal_here, normal_there, share);
        ray = eye - p;
        gl_Position = camera * vec4(p, 1.0);
        gl_Position.z -= 3e-3 * plain * gl_Position.w;  // lines stand before their faces
        gl_PointSize = 3.0;
      }`));
    gl.attachShader(it, shader(gl.FRAGMENT_SHADER, `
      in vec3 normal; in vec3 ray;
      uniform vec3 front, back; uniform float plain;
      out vec4 color;
      void main() {
        if (plain > 0.5) { color = vec4(front, 1.0); return; }
        vec3 n = normalize(gl_FrontFacing ? normal : -normal);
        float toward = max(dot(n, normalize(ray)), 0.0);
        float sky = 0.5 + 0.5 * n.y;
        vec3 base = gl_FrontFacing ? front : back;
        color = vec4(base * (0.35 + 0.2 * sky + 0.5 * toward), 1.0);
      }`));
    ["here", "there", "normal_here", "normal_there"].forEach((name, k) => gl.bindAttribLocation(it, k, name));
    gl.linkProgram(it);
    if (!gl.getProgramParameter(it, gl.LINK_STATUS)) throw Error(gl.getProgramInfoLog(it));
    return it;
  })();
  const place = name => gl.getUniformLocation(program, name);
  const uniforms = {};
  for (const name of ["low", "size", "camera", "share", "eye", "front", "back", "plain"]) uniforms[name] = place(name);

  // A frame as it goes to the screen: 16 bits a coordinate, and normals made from it.
  const normals = (points, triangles) => {
    const sum = new Float32Array(points.length);
    const [sx, sy, sz] = head.box[1];
    for (let t = 0; t < triangles.length; t += 3) {
      const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
      const ux = (points[b] - points[a]) * sx, uy = (points[b + 1] - points[a + 1]) * sy, uz = (points[b + 2] - points[a + 2]) * sz;
      const vx = (points[c] - points[a]) * sx, vy = (points[c + 1] - points[a + 1]) * sy, vz = (points[c + 2] - points[a + 2]) * sz;
      const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
      for (const v of [a, b, c]) { sum[v] += x; sum[v + 1] += y; sum[v + 2] += z; }
    }
    const out = new Int8Array(points.length);
    for (let v = 0; v < out.length; v += 3) {
      const length = Math.hypot(sum[v], sum[v + 1], sum[v + 2]) || 1;
      for (let k = 0; k < 3; ++k) out[v + k] = Math.round(127 * sum[v + k] / length);
    }
    return out;
  };

  const bodies = head.bodies.map((about, index) => {
    const triangles = new Uint32Array(bytes("triangles-" + index));
    const lines = new Uint32Array(2 * triangles.length);
    for (let t = 0, k = 0; t < triangles.length; t += 3) {
      for (const [i, j] of [[0, 1], [1, 2], [2, 0]]) { lines[k++] = triangles[t + i]; lines[k++] = triangles[t + j]; }
    }
    const buffer = (target, data) => {
      const it = gl.createBuffer();
      gl.bindBuffer(target, it);
      gl.bufferData(target, data, gl.STATIC_DRAW);
      return it;
    };
    return { about, index, triangles, shown: true, frames: new Map(),
      faces: buffer(gl.ELEMENT_ARRAY_BUFFER, triangles), lines: buffer(gl.ELEMENT_ARRAY_BUFFER, lines), n_lines: lines.length };
  });

  const kKeptBytes = 400e6;
  const kept = Math.max(2, Math.floor(kKeptBytes / Math.max(1, 9 * bodies.reduce((n, b) => n + b.about.vertices, 0))));
  const frame_of = (body, number) => {
    const wanted = body.about.moves ? number : 0;
    let frame = body.frames.get(wanted);
    if (!frame) {
      const points = new Uint16Array(bytes(`frame-${wanted}-${body.index}`));
      const upload = data => {
        const it = gl.createBuffer();
        gl.bindBuffer(gl.ARRAY_BUFFER, it);
        gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
        return it;
      };
      frame = { points: upload(points), normals: upload(normals(points, body.triangles)) };
    } else {
      body.frames.delete(wanted);  // comes back as the newest
    }
    body.frames.set(wanted, frame);
    if (body.frames.size > kept) {
      const [oldest, old] = body.frames.entries().next().value;
      gl.deleteBuffer(old.points);
      gl.deleteBuffer(old.normals);
      body.frames.delete(oldest);
    }
    return frame;
  };

  const [low, size] = head.box;
  const diagonal = Math.hypot(...size) || 1;
  const eye = { target: [0, 0, 0], turn: 0.6, rise: 0.35, distance: 1 };
  const kView = 0.6;  // radians, of the shorter side
  const fit = () => {
    eye.target = low.map((x, k) => x + size[k] / 2);
    eye.distance = 0.55 * diagonal / Math.sin(kView / 2);
  };
  fit();
  const away = () => [Math.cos(eye.rise) * Math.sin(eye.turn), Math.sin(eye.rise), Math.cos(eye.rise) * Math.cos(eye.turn)];
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const unit = a => { const n = Math.hypot(...a) || 1; return a.map(x => x / n); };
  const axes = () => {
    const z = away();
    const x = unit(cross([0, 1, 0], z));
    return [x, cross(z, x), z];
  };
  const camera = () => {
    const [x, y, z] = axes();
    const from = eye.target.map((t, k) => t + eye.distance * z[k]);
    const near = Math.max(eye.distance - diagonal, 0.02 * eye.distance), far = eye.distance + diagonal;
    const wide = canvas.width / canvas.height;
    const s = 1 / Math.tan(kView / 2);
    const sx = wide > 1 ? s / wide : s, sy = wide > 1 ? s : s * wide;
    const a = (far + near) / (near - far), b = 2 * far * near / (near - far);
    const m = [];
    for (let k = 0; k < 3; ++k) m.push(sx * x[k], sy * y[k], a * z[k], -z[k]);
    m.push(-sx * dot(x, from), -sy * dot(y, from), -a * dot(z, from) + b, dot(z, from));
    return { matrix: m, from };
  };

  let time = 0, playing = false, before = 0, waiting = false;
  const last = head.n_frames - 1;
  const attribute = (at, buffer, type) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, 3, type, true, 0, 0);
  };
  const draw = () => {
    const width = Math.round(canvas.clientWidth * devicePixelRatio), height = Math.round(canvas.clientHeight * devicePixelRatio);
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(1, 1);
    gl.useProgram(program);
    const { matrix, from } = camera();
    gl.uniformMatrix4fv(uniforms.camera, false, matrix);
    gl.uniform3fv(uniforms.low, low);
    gl.uniform3fv(uniforms.size, size);
    gl.uniform3fv(uniforms.eye, from);
    const first = Math.min(Math.floor(time), last), second = Math.min(first + 1, last);
    gl.uniform1f(uniforms.share, Math.min(time - first, 1));
    for (const body of bodies) {
      if (!body.shown || body.about.vertices === 0) continue;
      const here = frame_of(body, first), there = frame_of(body, second);
      attribute(0, here.points, gl.UNSIGNED_SHORT);
      attribute(1, there.points, gl.UNSIGNED_SHORT);
      attribute(2, here.normals, gl.BYTE);
      attribute(3, there.normals, gl.BYTE);
      gl.uniform3fv(uniforms.front, body.about.front);
      gl.uniform3fv(uniforms.back, body.about.back);
      if (body.triangles.length === 0) {
        gl.uniform1f(uniforms.plain, 1);
        gl.drawArrays(gl.POINTS, 0, body.about.vertices);
        continue;
      }
      gl.uniform1f(uniforms.plain, 0);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, body.faces);
      gl.drawElements(gl.TRIANGLES, body.triangles.length, gl.UNSIGNED_INT, 0);
      if (!$("edges").checked) continue;
      gl.uniform1f(uniforms.plain, 1);
      gl.uniform3fv(uniforms.front, body.about.front.map(x => 0.35 * x));
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, body.lines);
      gl.drawElements(gl.LINES, body.n_lines, gl.UNSIGNED_INT, 0);
    }
    $("time").value = Math.round(time);
    $("at").textContent = `${Math.round(time)} / ${last} (${(time / head.frame_rate).toFixed(2)} s)`;
  };
  const tick = now => {
    waiting = false;
    if (playing) {
      time += (now - before) / 1000 * head.frame_rate * Number($("speed").value);
      if (time > last) time = last > 0 ? time % last : 0;
      before = now;
    }
    draw();
    if (playing) ask();
  };
  const ask = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(tick);
  };
  const play = on => {
    playing = on && last > 0;
    $("play").textContent = playing ? "Pause" : "Play";
    before = performance.now();
    ask();
  };
  const go = to => { play(false); time = Math.min(Math.max(to, 0), last); ask(); };

  $("play").onclick = () => play(!playing);
  $("time").max = last;
  $("time").oninput = () => go(Number($("time").value));
  $("edges").onchange = ask;
  $("fit").onclick = () => { fit(); ask(); };
  $("name").textContent = head.title;
  if (last === 0) $("play").disabled = $("time").disabled = true;

  const hex = c => "#" + c.map(x => Math.round(255 * x).toString(16).padStart(2, "0")).join("");
  const color = text => [1, 3, 5].map(k => parseInt(text.slice(k, k + 2), 16) / 255);
  for (const body of bodies) {
    const row = document.createElement("div");
    const input = (type, title, set) => {
      const it = document.createElement("input");
      it.type = type;
      it.title = title;
      it.oninput = () => { set(it); ask(); };
      row.append(it);
      return it;
    };
    input("checkbox", "Show " + body.about.name, it => { body.shown = it.checked; }).checked = true;
    input("color", "Colour of the front", it => { body.about.front = color(it.value); }).value = hex(body.about.front);
    input("color", "Colour of the back", it => { body.about.back = color(it.value); }).value = hex(body.about.back);
    row.append(body.about.name);
    $("bodies").append(row);
  }

  let held = null;
  canvas.onpointerdown = event => {
    held = { x: event.clientX, y: event.clientY, moves: event.button !== 0 || event.shiftKey };
    canvas.setPointerCapture(event.pointerId);
    canvas.focus();
  };
  canvas.onpointerup = () => { held = null; };
  canvas.onpointercancel = canvas.onpointerup;
  canvas.onpointermove = event => {
    if (!held) return;
    const dx = event.clientX - held.x, dy = event.clientY - held.y;
    held.x = event.clientX;
    held.y = event.clientY;
    if (held.moves) {
      const [x, y] = axes();
      const scale = 2 * eye.distance * Math.tan(kView / 2) / Math.min(canvas.clientWidth, canvas.clientHeight);
      eye.target = eye.target.map((t, k) => t + scale * (dy * y[k] - dx * x[k]));
    } else {
      eye.turn -= 0.008 * dx;
      eye.rise = Math.min(Math.max(eye.rise + 0.008 * dy, -1.55), 1.55);
    }
    ask();
  };
  canvas.oncontextmenu = event => event.preventDefault();
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 30 : 1;
    eye.distance *= Math.exp(Math.min(Math.max(event.deltaY * lines, -300), 300) * 0.0015);
    eye.distance = Math.min(Math.max(eye.distance, 1e-3 * diagonal), 100 * diagonal);
    ask();
  }, { passive: false });
  addEventListener("keydown", event => {
    if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey) return;
    const keys = { " ": () => play(!playing), ArrowLeft: () => go(Math.round(time) - 1), ArrowRight: () => go(Math.round(time) + 1),
      Home: () => go(0), End: () => go(last), f: () => $("fit").click(), e: () => $("edges").click() };
    const act = keys[event.key];
    if (!act || (event.key === " " && event.target instanceof HTMLButtonElement)) return;
    event.preventDefault();
    act();
  });
  addEventListener("resize", ask);
  draw();
})();
</script>
</body>
</html>
)html";

}  // namespace toile::detail
