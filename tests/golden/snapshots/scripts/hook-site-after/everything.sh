#!/bin/bash
echo after
